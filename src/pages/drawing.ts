/** Draws what the site has as PNG, link previews and icons, in a worker. */
import { LRUCache } from 'lru-cache';
import { ApiError } from '../base/api-error.ts';
import { sha256Hex } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/thrown.ts';
import type { Asset } from '../content/content.ts';
import type { Workers } from '../worker/pool.ts';
import type { Task } from '../worker/task.ts';

/** The picture that a link to a page shows in messages and posts. */
export interface PreviewTask {
  readonly kind: 'preview';
  readonly title: string;
  readonly product: string;
  readonly accent: string;
  readonly isRightToLeft: boolean;
  /** As a data URI. */
  readonly logo: string | null;
}

/** The icon of the site on a home screen: a square without transparency, whose corners the system rounds. */
export interface IconTask {
  readonly kind: 'icon';
  /** Pixels. */
  readonly size: number;
  readonly accent: string;
  /** What stands on the accent where there is no logo. */
  readonly letter: string;
  readonly logo: string | null;
}

export type DrawingTask = PreviewTask | IconTask;

/** Pixels: what the services that show previews ask for. */
export const previewSize = { width: 1200, height: 630 } as const;

/** Names the drawing in its address. The number changes when the same task is drawn in another way. */
export const drawingHash = (task: DrawingTask): string => sha256Hex(`1 ${JSON.stringify(task)}`).slice(0, 12);

export interface Drawer {
  /** PNG. Throws `overloaded` while too many others wait. */
  draw(task: DrawingTask): Promise<Buffer>;
}

/** Draws a picture as PNG; the first one loads the library and the fonts. */
const drawingsTask: Task<DrawingTask, Uint8Array> = { name: 'drawings', thread: 'render', budgetMs: 10_000 };

/** Maximum size of the cached drawings in bytes; they depend on no revision. */
const maxCachedBytes = 8_000_000;
/** Drawings that wait for the process. */
const mostWaiting = 40;
const waitSeconds = 10;

export interface DrawerOptions {
  readonly workers: Pick<Workers, 'run'>;
  readonly log: Log;
}

/** A task with a logo that cannot be drawn is drawn without it. */
export function createDrawer({ workers, log }: DrawerOptions): Drawer {
  const drawings = new LRUCache<string, Buffer>({ maxSize: maxCachedBytes, sizeCalculation: ({ length }) => length });
  const underWay = new Map<string, Promise<Buffer>>();
  const attempt = async (task: DrawingTask): Promise<Buffer> => {
    try {
      return Buffer.from(await workers.run(drawingsTask, task));
    } catch (error) {
      if (task.logo === null) throw new ApiError('not_found', 'This picture could not be drawn.');
      log.warn({ error: messageOf(error) }, 'the logo could not be drawn; pictures are made without it');
      return attempt({ ...task, logo: null });
    }
  };
  return {
    async draw(task) {
      const key = drawingHash(task);
      const ready = drawings.get(key) ?? underWay.get(key);
      if (ready !== undefined) return ready;
      if (underWay.size >= mostWaiting) {
        throw new ApiError('overloaded', `Too many pictures are being drawn. Retry in ${waitSeconds} seconds.`, {
          retryAfter: waitSeconds,
        });
      }
      const made = attempt(task)
        .then((png) => {
          drawings.set(key, png);
          return png;
        })
        .finally(() => underWay.delete(key));
      underWay.set(key, made);
      return made;
    },
  };
}

/** Bytes: a larger logo is no drawing of a few shapes, and takes as long as all the rest. */
const mostLogo = 100_000;

/** A logo as a part of a drawing; null for what cannot be one. */
export function inDrawing(asset: Pick<Asset, 'mediaType' | 'bytes'> | undefined): string | null {
  if (asset === undefined || asset.bytes.length > mostLogo) return null;
  if (!/^image\/(?:svg\+xml|png|jpeg|gif|webp)$/.test(asset.mediaType)) return null;
  return `data:${asset.mediaType};base64,${asset.bytes.toString('base64')}`;
}
