// Ends a start on a Node that cannot run the sources, with a sentence in place of an error of the module loader. npm scripts
// load it first. Old JavaScript on purpose: any version of Node can run this file.
var OLDEST = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  process.stderr.write(
    'tollgate: Node ' +
      OLDEST +
      ' or newer is required, and this is ' +
      process.version +
      ': install a newer Node, or run "npm ci" without --omit=optional to install the one that comes with Tollgate\n',
  );
  process.exit(1);
}
