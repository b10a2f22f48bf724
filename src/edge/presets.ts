/** How the caches that purge by key are told what to purge: one preset for each kind. */

export const presetNames = ['varnish', 'fastly', 'cloudflare', 'nginx'] as const;
export type PresetName = (typeof presetNames)[number];

export interface Preset {
  readonly method: string;
  /** The request header that lists the keys; null: they are in the body, or a request is for one address. */
  readonly header: string | null;
  /** `list`: separated by spaces in the header; `tags`: a JSON body; `addresses`: a request for each stored address. */
  readonly form: 'list' | 'tags' | 'addresses';
  /** Keys in one request. */
  readonly batch: number;
  /** The vendor's bound for it. */
  readonly mostInBatch: number;
  /** Whether it finds everything that changed, so that content may be kept for a day. */
  readonly keepsLong: boolean;
}

export const presets: Readonly<Record<PresetName, Preset>> = {
  varnish: { method: 'PURGE', header: 'xkey', form: 'list', batch: 100, mostInBatch: 200, keepsLong: true },
  fastly: { method: 'POST', header: 'Surrogate-Key', form: 'list', batch: 100, mostInBatch: 256, keepsLong: true },
  cloudflare: { method: 'POST', header: null, form: 'tags', batch: 100, mostInBatch: 100, keepsLong: true },
  nginx: { method: 'GET', header: null, form: 'addresses', batch: 1, mostInBatch: 1, keepsLong: false },
};

/** Where and how changes are purged. */
export interface PurgeSettings extends Preset {
  readonly url: string;
  /** Name and value of the header that authorizes; null: none. */
  readonly authorization: readonly [name: string, value: string] | null;
}
