/**
 * `node scripts/pack-previous.ts COMMIT` packs the gateway of a commit or a tag into `test/support/previous/`, for tests
 * that run it beside this one. Run it after each release. Like a package of npm, the sources have no types, so that the
 * file is small.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { PREVIOUS_VERSION_FILE, packFiles } from '../test/support/previous/packed-files.ts';

const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('name the commit or the tag to pack');

const paths = git('ls-tree', '-r', '--name-only', commit, 'src', 'package.json').trim().split('\n');
const files = new Map(paths.map((path) => [path, readSource(path, git('show', `${commit}:${path}`))]));
const packed = packFiles(files);
writeFileSync(PREVIOUS_VERSION_FILE, packed);
process.stdout.write(`${files.size} files, ${Math.round(packed.length / 1024)} kB: ${PREVIOUS_VERSION_FILE}\n`);

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

/** Removes types, which leaves spaces. Names keep their ending, because specifiers have it. */
function readSource(path: string, text: string): string {
  return path.endsWith('.ts') ? stripTypeScriptTypes(text).replaceAll(/ +$/gm, '') : text;
}
