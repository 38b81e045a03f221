/**
 * Modules of services that were built with the gateway, and share its packages, by the path of their source. None where
 * the sources run: the build puts its own in place of this (`scripts/build/gateway-config.ts`).
 */
export const builtModules: ReadonlyMap<string, () => Promise<unknown>> = new Map();
