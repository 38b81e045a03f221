/** How long a session lasts without a request. */
export const IDLE_MS = 8 * 3_600_000;
/** How long it lasts at most: where people have accounts elsewhere, losing those should end it the same day. */
export const LIFETIME_MS = { link: 7 * 86_400_000, key: 7 * 86_400_000, oidc: 12 * 3_600_000 };

export type SignInMethod = keyof typeof LIFETIME_MS;
