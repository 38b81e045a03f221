import { useContext } from 'react';
import { SiteContext } from '../session/session-context.ts';

/** A link to the team, if it has set a contact. After a failure, the contact may be unknown as well. */
export function ContactLink({ children }: { readonly children: string }) {
  const contact = useContext(SiteContext)?.contact ?? null;
  return contact === null ? null : (
    <a href={contact} rel="noreferrer">
      {children}
    </a>
  );
}
