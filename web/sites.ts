import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';

/** The sites that browsers load: the operators' console and the consumers' portal. */
export const SITES = ['console', 'portal'] as const;

type Site = (typeof SITES)[number];

/** The folder where the build puts a site. */
export function siteFolder(site: Site): string {
  return join(import.meta.dirname, '../dist', site);
}

/**
 * The file where the build puts the guides of the portal as Markdown. It is beside the pages and not part of them,
 * because the gateway fills in its limits.
 */
export const GUIDES_FILE = join(import.meta.dirname, '../dist/guides.json');

/** The entry points of the code that the console loads for its overview, where most visits begin. */
const OVERVIEW = /web\/console\/(?:main|screens\/overview\/overview-screen)\.tsx$/;

interface ModuleInfos {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null;
}

/** True if the overview imports the module, directly or through other modules. */
function isOfOverview(id: string, modules: ModuleInfos): boolean {
  if (OVERVIEW.test(id)) return false;
  const seen = new Set([id]);
  for (const each of seen) {
    if (OVERVIEW.test(each)) return true;
    for (const importer of modules.getModuleInfo(each)?.importers ?? []) seen.add(importer);
  }
  return false;
}

/**
 * The build options of a site. A site consists of static files that the gateway serves. URLs are relative, so that a
 * reverse proxy may add a path prefix. Nothing is inlined, because the content security policy allows only files. File
 * names contain hashes, so that browsers may cache them indefinitely.
 */
export function siteConfig(site: Site): InlineConfig {
  return {
    configFile: false,
    root: join(import.meta.dirname, site),
    base: './',
    publicDir: false,
    resolve: {
      alias: {
        // The documentation, from which the portal's guides are made.
        docs: join(import.meta.dirname, '../docs'),
        // Use the plain variant, because the one for browsers writes to `innerHTML`, which the content security policy
        // forbids.
        'decode-named-character-reference': fileURLToPath(
          new URL('./index.js', import.meta.resolve('decode-named-character-reference')),
        ),
      },
    },
    build: {
      outDir: siteFolder(site),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // The first versions that support `light-dark()`, which the design tokens use.
      target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      rolldownOptions: {
        output: {
          // Modules that most screens need are combined into a few files, because a request for each module would take
          // longer.
          codeSplitting: {
            groups: [
              {
                name: 'vendor',
                test: /vite\/preload-helper|node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!(?:react-)?virtual|(?:react-query|query-core)\/.*(?:(?:mutation|infiniteQuery)Observer|use(?:Mutation|InfiniteQuery))\.js))/,
              },
              {
                name: (id, modules) => (isOfOverview(id, modules) ? 'overview' : null),
                debugName: 'overview',
              },
              {
                name: 'shared',
                // A module that only one screen needs is part of that screen's file.
                minShareCount: 2,
                test: /node_modules\/lucide-react\/(?!.*\/(?:arrow-(?:down|up)|ban|chevrons-up-down|circle-(?:off|slash|x)|ellipsis|pen-line|plus|refresh-cw|shield-exclamation-point|table-2)\.mjs)|web\/shared\/(?!behavior\/(?:keep-focus|save-file)|format\/(?:(?:local-)?time|nested-keys|pretty-json)|webhooks|traffic|ui\/(?:controls\/(?:field|filter-time|grace-field)|page\/(?:card-page|freshness|kept|toolbar))|ui\/overlays|ui\/frame\/(?:search|navigation)-dialog|ui\/data\/(?:time|chart-ticks|data-table|meter|window-card))|web\/(?:console|portal)\/(?:api\/(?!events|keys|plans|usage|tried-call|refusals)|session\/(?!begin)|parts\/(?!quota-table|quotas|form-dialog|refusal-table|use-previous|brownouts|successor-link|ban-note|revoked-notes|windows|operation-link))|web\/portal\/(?:markdown\/(?:markdown|guide-link)\.tsx|reference\/(?:model\/operation-name|view\/(?:badges|method))|screens\/operation\/neighbors)/,
              },
              { name: 'time', minShareCount: 2, test: /web\/shared\/format\/time\.ts/ },
              {
                // Modules that are needed only in a session are separate, because a visitor may read one page and
                // leave.
                name: 'account',
                minShareCount: 2,
                test: /web\/shared\/(?:behavior\/(?:keep-focus|save-file)|ui\/data\/time\.tsx|ui\/controls\/(?:field|filter-time|grace-field)|ui\/page\/(?:freshness|toolbar))|web\/portal\/(?:api\/(?:keys|plans|usage|tried-call|refusals|changes)|parts\/(?:ban-note|revoked-notes|windows|operation-link))|lucide-react\/dist\/esm\/icons\/(?:arrow-(?:down|up)|ban|chevrons-up-down|circle-(?:off|slash|x)|ellipsis|pen-line|plus|refresh-cw|shield-exclamation-point|table-2)\.mjs/,
              },
              {
                name: 'traffic',
                minShareCount: 2,
                test: /web\/shared\/traffic\/|portal\/parts\/(?:refusal-table|use-previous)/,
              },
            ],
          },
        },
        // Ignore warnings about "use client", which concerns only frameworks that render on a server.
        onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      },
    },
  };
}
