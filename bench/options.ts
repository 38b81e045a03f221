import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Reads the options of a command. With `--help`, prints the help and ends the process. */
export function parseOptions<T extends ParseArgsOptionsConfig>(options: T, help: string) {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false }, ...options } });
  if ((values as { readonly help: boolean }).help) {
    process.stdout.write(`${help}\n`);
    process.exit(0);
  }
  return values;
}
