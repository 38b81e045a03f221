import { stripTypeScriptTypes } from 'node:module';

/**
 * Turns TypeScript into JavaScript. Types become spaces, so that lines and columns stay the same. Node does this for
 * sources, but not below a `node_modules` folder.
 */
export function removeTypes(text: string): string {
  return useJavaScriptEndings(stripTypeScriptTypes(text).replaceAll(/ +$/gm, ''));
}

/**
 * Replaces the ending of every relative specifier, in `import`, `import()` and `new URL(…, import.meta.url)`. In these
 * sources, no other string begins with `./` or `../` and ends with `.ts`.
 */
export function useJavaScriptEndings(text: string): string {
  return text.replaceAll(/(?<=(['"])\.\.?\/[^'"\n]*)\.ts(?=\1)/g, '.js');
}
