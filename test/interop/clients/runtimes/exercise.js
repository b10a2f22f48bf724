/** Exercises the client in any runtime. The caller passes the module, and whether the runtime may have a secret. */

/**
 * @param {typeof import('@colophon/client')} client
 * @param {{ origin: string, mayHoldSecret: boolean }} where
 */
export async function exercise({ createClient, isCode }, { origin, mayHoldSecret }) {
  const api = createClient({ baseUrl: origin });
  const slugs = [];
  for await (const { slug } of api.docs.list({ limit: 3 })) slugs.push(slug);

  let suggestions = null;
  try {
    await api.docs.get('quikstart');
  } catch (error) {
    if (isCode(error, 'not_found')) suggestions = error.suggestions;
  }

  await api.pricing.get();
  const { fromCache } = await api.pricing.get().withResponse();

  let requests = 0;
  const batching = createClient({
    baseUrl: origin,
    batch: true,
    onRequest: () => {
      requests += 1;
    },
  });
  const [features, requirements] = await Promise.all([batching.features.list(), batching.requirements.get()]);

  const reason = new Error('changed my mind');
  const abort = new AbortController();
  const call = api.features.list({ signal: abort.signal });
  abort.abort(reason);
  const aborted = await call.then(
    () => false,
    (error) => error === reason,
  );

  const exporting = mayHoldSecret
    ? await createRegisteredClient(createClient, origin)
    : createClient({ baseUrl: origin, sandbox: true });
  const job = await exporting.exports.start({ resource: 'docs', format: 'markdown' });
  const finishedJob = await exporting.exports.wait(job);
  const file = await new Response(await exporting.exports.download(finishedJob)).arrayBuffer();

  return {
    latest: (await api.releases.latest({ os_version: '15.1', arch: 'arm64' })).version,
    slugs,
    suggestions,
    fromCache,
    batched: [requests, features.object, requirements.object],
    aborted,
    exported: [finishedJob.status, file.byteLength === finishedJob.result?.size_bytes],
  };
}

async function createRegisteredClient(createClient, origin) {
  const { client_id, client_secret } = await createClient({ baseUrl: origin }).register({
    client_name: 'every runtime',
    grant_types: ['client_credentials'],
    scope: 'export:docs',
  });
  return createClient({ baseUrl: origin, auth: { clientId: client_id, clientSecret: client_secret } });
}
