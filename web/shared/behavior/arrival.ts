/** Parameters of the address when the page was opened, apart from the screen. */
export interface Arrival {
  /** The token of a link that signs in once. */
  readonly token: string | null;
  /** Why signing in with one's own account failed: `unavailable`, `rejected` or `not_allowed`. */
  readonly failure: string | null;
}

/**
 * Reads what a link that signs in, or the provider's way back, put into the fragment. What a screen shows begins with
 * `#/` and is left alone.
 */
export function readArrival(fragment: string): Arrival {
  if (fragment.startsWith('#/')) return { token: null, failure: null };
  const given = new URLSearchParams(fragment.slice(1));
  return { token: given.get('token'), failure: given.get('sign-in-failed') };
}

/**
 * Reloads the page for a sign-in link. In a tab with the page already open, such a link changes only the fragment, and
 * the router would read it as its own address: so this runs before the router.
 */
export function watchForLinks(): void {
  const open = (event: Event) => {
    if (readArrival(location.hash).token === null) return;
    event.stopImmediatePropagation();
    location.reload();
  };
  addEventListener('popstate', open, { capture: true });
}
