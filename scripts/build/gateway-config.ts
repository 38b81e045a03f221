import { dirname, join, relative } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';

const root = join(import.meta.dirname, '../..');
const src = join(root, 'src');

/** The modules of services that come with the gateway. */
const MODULES = ['petstore/upstream.ts'];

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
    plugins: [withModules(), withWorker(), keepPlaces(folder)],
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: { start: join(src, 'start.ts'), 'history-worker': join(src, 'history/worker/history-worker.ts') },
        // All in one folder: see `keepPlaces`.
        output: { chunkFileNames: '[name]-[hash].js' },
      },
    },
    ssr: { noExternal: true },
  };
}

/** The modules of services share packages with the gateway; loaded by themselves, they would load them again. */
function withModules(): Plugin {
  const loaders = MODULES.map((file) => `[join(import.meta.dirname, '../../${file}'), () => import('../../${file}')]`);
  const code = `import { join } from 'node:path';\nexport const builtModules = new Map([${loaders.join(', ')}]);\n`;
  return {
    name: 'with-modules',
    enforce: 'pre',
    transform: (_, id) => (fileOf(id) === join(src, 'upstreams/in-process/built-modules.ts') ? code : null),
  };
}

/** The worker's file is built too. */
function withWorker(): Plugin {
  const source = "new URL('./history-worker.ts', import.meta.url)";
  return {
    name: 'with-worker',
    enforce: 'pre',
    transform(code, id) {
      if (!fileOf(id).endsWith('/history-client.ts')) return null;
      if (!code.includes(source)) throw new Error(`${id} does not have ${source}: change the build with it`);
      return code.replace(source, "new URL('./history-worker.js', import.meta['url'])");
    },
  };
}

/** Documents and scripts beside a module stay where they are: in `src`. */
function keepPlaces(folder: string): Plugin {
  return {
    name: 'keep-places',
    enforce: 'pre',
    transform(code, id) {
      const file = fileOf(id);
      if (!file.startsWith(src) || !code.includes('import.meta')) return null;
      const place = relative(folder, file);
      return code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(place)}`)})`)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url)`);
    },
  };
}

/** Without what Vite adds behind a `?`. */
function fileOf(id: string): string {
  return id.split('?', 1)[0] ?? id;
}
