import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../shared/ui/controls/button.tsx';
import { LiftDialog } from './lazy-dialogs.ts';
import { keyQuery } from '../api/keys.ts';

/** Lifts the active ban of a key in a list, after asking for confirmation. */
export function LiftButton({ keyId }: { readonly keyId: string }) {
  const key = useQuery(keyQuery(keyId)).data;
  const [isOpen, setIsOpen] = useState(false);
  if (key === undefined) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)} title={`Lift the ban on ${key.name}`}>
        Lift…
      </Button>
      {isOpen && <LiftDialog apiKey={key} onClose={() => setIsOpen(false)} />}
    </>
  );
}
