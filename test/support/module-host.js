/** Runs the modules that it is sent, one after the other in one process, and returns what each prints. */
import process from 'node:process';

let printed = '';
process.stdout.write = (chunk) => {
  printed += chunk;
  return true;
};

let sent = 0;
process.on('message', async (code) => {
  printed = '';
  // Equal addresses would be the same module, which runs once.
  sent += 1;
  const url = `data:text/javascript,${encodeURIComponent(`${code}\n// ${sent}`)}`;
  const error = await import(url).then(
    () => null,
    (thrown) => String(thrown?.stack ?? thrown),
  );
  process.send?.({ printed, error });
});
