import { useContext } from 'react';
import { SiteContext } from '../session/session-context.ts';

/** Leads to the team, if it can be reached; in a screen that failed, the site may not be known either. */
export function ContactLink({ children }: { readonly children: string }) {
  const contact = useContext(SiteContext)?.contact ?? null;
  return contact === null ? null : (
    <a href={contact} rel="noreferrer">
      {children}
    </a>
  );
}
