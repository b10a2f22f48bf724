// Says how to get a later Node in a clone; the package has another text. Plain old syntax, like the files that import it.
export default function upgradeHint(minVersion) {
  return `\nRun it through npm (npm start), which uses the Node that npm ci installed, or install Node ${minVersion} or later.`;
}
