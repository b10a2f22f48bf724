/** nginx with one worker, serving the captured responses from files with the same headers. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Captured } from './capture.ts';
import { freePort, isOnPath, type Started, startPinned } from './process.ts';

/** What nginx writes of itself. Its own entity tag is as long as ours, and its conditions go by it. */
const own = new Set(['date', 'connection', 'keep-alive', 'content-length', 'content-type', 'etag', 'x-request-id']);

/** Nothing else of the benchmark needs it. */
export const nginxIsHere = (): boolean => isOnPath('nginx');

/** `directory` receives the configuration and a file for each response, at `/0` and so on. */
export async function startNginx(directory: string, captured: readonly Captured[]): Promise<Started & { url: string }> {
  const port = await freePort();
  const locations: string[] = [];
  for (const [index, { headers, body }] of captured.entries()) {
    const file = join(directory, `answer-${index}`);
    await writeFile(file, Buffer.from(body, 'base64'));
    const lines = headers
      .filter(([name]) => !own.has(name.toLowerCase()))
      .map(([name, value]) => `add_header ${name} '${value.replaceAll("'", "\\'")}';`);
    const type = headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/json';
    locations.push(
      `location = /${index} { alias ${file}; types {} default_type '${type}'; add_header x-request-id $request_id; ${lines.join(' ')} }`,
    );
  }
  const file = join(directory, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  await writeFile(
    file,
    `daemon off; master_process off; worker_processes 1; pid ${directory}/nginx.pid; error_log stderr notice;
events { worker_connections 1024; }
http {
  access_log off; server_tokens off; keepalive_timeout 65 65; keepalive_requests 1000000000; sendfile on; tcp_nopush on;
  open_file_cache max=100; ${paths.join(' ')}
  server { listen 127.0.0.1:${port}; ${locations.join('\n')} }
}
`,
  );
  const started = await startPinned(['nginx', '-c', file, '-p', directory], /(using the "epoll")/);
  return { ...started, url: `http://127.0.0.1:${port}` };
}
