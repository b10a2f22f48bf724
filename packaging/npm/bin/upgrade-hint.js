// Says how to get a later Node for the package. Plain old syntax, like the files that import it.
export default function upgradeHint() {
  return ' Install a later one from https://nodejs.org and run the same command again.';
}
