// How much memory young objects may fill before they are collected: 16 MB, not the 64 MB that Node 26 was seen to use. See docs/decisions/076-small-start.md.
var limit = '--max-semi-space-size=8';

/** What `serve` tells Node in addition to what it was told already. */
export function missingFlags() {
  var told = process.execArgv.concat(process.env.NODE_OPTIONS || '').join(' ');
  return process.argv[2] !== 'serve' || /max[-_]semi[-_]space[-_]size/.test(told) ? [] : [limit];
}

/** Becomes the same process with these flags, where that is possible: the limit is read when Node starts. A channel to a parent would be lost. */
export function becomeWith(flags) {
  if (flags.length === 0 || process.platform === 'win32' || process.connected) return;
  process.execve(process.execPath, [process.execPath].concat(flags, process.execArgv, process.argv.slice(1)));
}
