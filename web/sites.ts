import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';

/** What browsers load: the operators' console and the consumers' portal. */
export const SITES = ['console', 'portal'] as const;

/**
 * A site is static files that the gateway serves. Addresses are relative, so that a reverse proxy may add a prefix;
 * nothing is inlined, because the content security policy admits files only; names carry hashes, so that browsers may
 * keep them for ever.
 */
export function siteConfig(site: (typeof SITES)[number]): InlineConfig {
  return {
    configFile: false,
    root: join(import.meta.dirname, site),
    base: './',
    publicDir: false,
    resolve: {
      alias: {
        // The pages for consumers, which the portal shows.
        docs: join(import.meta.dirname, '../docs'),
        // Its variant for browsers writes to `innerHTML`, which the policy forbids.
        'decode-named-character-reference': fileURLToPath(
          new URL('./index.js', import.meta.resolve('decode-named-character-reference')),
        ),
      },
    },
    build: {
      outDir: join(import.meta.dirname, '../dist', site),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // The first that have `light-dark()`, which the tokens are written with.
      target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      rolldownOptions: {
        // "use client" is for frameworks that render on a server.
        onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      },
    },
  };
}
