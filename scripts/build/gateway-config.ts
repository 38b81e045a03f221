import { dirname, join, relative } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';

const root = join(import.meta.dirname, '../..');
const src = join(root, 'src');

/** What the pet store loads too: it is a module by itself, and what was bundled would be loaded twice. */
const SHARED = ['ajv', 'express', 'find-my-way'];

/**
 * The gateway in few files, with the packages it needs: Node takes longer to find its thirteen hundred modules than to
 * run them. Readable still, since errors show where they come from.
 *
 * @param folder two levels below the project's
 */
export function gatewayConfig(folder = join(root, 'dist/gateway')): InlineConfig {
  return {
    configFile: false,
    root,
    publicDir: false,
    plugins: [keepPlaces(folder)],
    build: {
      ssr: join(src, 'start.ts'),
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      // All in one folder: see `keepPlaces`.
      rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
    },
    ssr: { noExternal: true, external: SHARED },
  };
}

/** Documents and scripts beside a module, and the worker's file, stay where they are: in `src`. */
function keepPlaces(folder: string): Plugin {
  return {
    name: 'keep-places',
    enforce: 'pre',
    transform(code, id) {
      const file = id.split('?', 1)[0] ?? id;
      if (!file.startsWith(src) || !code.includes('import.meta')) return null;
      const place = relative(folder, file);
      return code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(place)}`)})`)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url)`);
    },
  };
}
