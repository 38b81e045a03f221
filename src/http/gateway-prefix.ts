/** The paths below it are the gateway's own; no upstream can have them. */
export const GATEWAY_PREFIX = '/_gateway/';
