// What the package says about coming by a later Node. Plain old syntax, like what imports it.
export default function laterNode() {
  return ' Install a later one from https://nodejs.org and run the same command again.';
}
