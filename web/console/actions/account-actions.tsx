import { CircleCheck, CircleOff, Link2, PenLine, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { MoreMenu } from '../../shared/ui/overlays/menu.tsx';
import {
  AccountStatusDialog,
  DeleteAccountDialog,
  EditAccountDialog,
  ShowLinkDialog,
  SignInLinkDialog,
} from './lazy-dialogs.ts';
import type { Account, SignInLink } from '../api/accounts.ts';

type What = 'edit' | 'link' | 'status' | 'delete';

/** A menu of the actions on an account, for users who may change it. */
export function AccountActions({ account }: { readonly account: Account }) {
  const [opened, setOpened] = useState<What | null>(null);
  const [made, setMade] = useState<SignInLink | null>(null);
  const close = () => setOpened(null);
  const isActive = account.status === 'active';
  const edit = { label: 'Edit…', icon: PenLine, onSelect: () => setOpened('edit') };
  const link = { label: 'Create a sign-in link…', icon: Link2, onSelect: () => setOpened('link') };
  const status = {
    label: isActive ? 'Disable…' : 'Enable…',
    icon: isActive ? CircleOff : CircleCheck,
    danger: isActive,
    onSelect: () => setOpened('status'),
  };
  const remove = { label: 'Delete…', icon: Trash2, danger: true, onSelect: () => setOpened('delete') };
  const items = isActive ? [edit, link, status, remove] : [edit, status, remove];
  return (
    <>
      <MoreMenu label={`Actions for ${account.name}`} items={items} />
      {opened === 'edit' && <EditAccountDialog account={account} onClose={close} />}
      {opened === 'link' && <SignInLinkDialog account={account} onClose={close} onMade={setMade} />}
      {opened === 'status' && <AccountStatusDialog account={account} onClose={close} />}
      {opened === 'delete' && <DeleteAccountDialog account={account} onClose={close} />}
      {made !== null && <ShowLinkDialog link={made} onClose={() => setMade(null)} />}
    </>
  );
}
