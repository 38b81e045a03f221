/** The parameters in the URL with which the page was opened, except those of a screen. */
export interface Arrival {
  /** The token of a sign-in link. */
  readonly token: string | null;
  /** The reason why signing in with OpenID Connect failed: `unavailable`, `rejected` or `not_allowed`. */
  readonly failure: string | null;
}

/**
 * Reads the parameters that a sign-in link or the redirect from a provider put into the fragment. Fragments of screens
 * begin with `#/` and are ignored.
 */
export function readArrival(fragment: string): Arrival {
  if (fragment.startsWith('#/')) return { token: null, failure: null };
  const given = new URLSearchParams(fragment.slice(1));
  return { token: given.get('token'), failure: given.get('sign-in-failed') };
}

/**
 * Reloads the page for a sign-in link. In a tab with the page already open, such a link changes only the fragment,
 * which the router would take for its own URL. So this runs before the router.
 */
export function watchForLinks(): void {
  const open = (event: Event) => {
    if (readArrival(location.hash).token === null) return;
    event.stopImmediatePropagation();
    location.reload();
  };
  addEventListener('popstate', open, { capture: true });
}
