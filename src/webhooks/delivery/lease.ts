/**
 * How long a delivery is a gateway's alone. Longer than an attempt may take, so that nobody takes over what still runs;
 * after that, the gateway is taken for dead.
 */
export const LEASE_MS = 40_000;
