// Exits with a clear message if this version of Node is too old for the sources. Otherwise, the module loader would fail with
// an obscure error. npm scripts load this file first. It is in old JavaScript, so that any version of Node can run it.
var fs = require('fs');
var path = require('path');

var OLDEST = 24;
// Only a checkout, which has a lock file, can bring its own Node.
var isCheckout = fs.existsSync(path.join(__dirname, '../package-lock.json'));

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  process.stderr.write(
    'tollgate: Node ' +
      OLDEST +
      ' or newer is required, and this is ' +
      process.version +
      ': install a newer Node' +
      (isCheckout ? ', or run "npm ci" without --omit=optional to install the one that comes with Tollgate' : '') +
      '\n',
  );
  process.exit(1);
}
