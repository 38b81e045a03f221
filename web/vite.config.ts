import { join } from 'node:path';
import { defineConfig } from 'vite';

/**
 * The console is static files that the gateway serves. Addresses are relative, so that a reverse proxy may add a
 * prefix; nothing is inlined, because the content security policy admits files only; names carry hashes, so that
 * browsers may keep them for ever.
 */
export default defineConfig({
  root: join(import.meta.dirname, 'console'),
  base: './',
  publicDir: false,
  build: {
    outDir: join(import.meta.dirname, '../dist/console'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first that have `light-dark()`, which the tokens are written with.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      output: {
        // What most screens need comes in two files: one for each icon and each part takes longer to ask for than to load.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@tanstack)\//,
            },
            {
              name: 'shared',
              test: /node_modules\/lucide-react\/|web\/shared\/(?!ui\/overlays|ui\/data\/time-chart)|web\/console\/(?:api|session|parts)\//,
            },
          ],
        },
      },
      // "use client" is for frameworks that render on a server.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
});
