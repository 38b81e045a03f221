import { useContext } from 'react';
import { SiteContext } from '../session/session-context.ts';

/** Links to the team's contact, if there is one. The site may be unknown after a failure; then there is no link. */
export function ContactLink({ children }: { readonly children: string }) {
  const contact = useContext(SiteContext)?.contact ?? null;
  return contact === null ? null : (
    <a href={contact} rel="noreferrer">
      {children}
    </a>
  );
}
