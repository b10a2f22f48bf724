/** Draws the pictures of the site, link previews and icons, as PNG in a worker. */
import { LRUCache } from 'lru-cache';
import { ApiError } from '../base/api-error.ts';
import { sha256Hex } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { getMessage } from '../base/thrown.ts';
import type { Asset } from '../content/content.ts';
import type { Workers } from '../worker/pool.ts';
import type { Task } from '../worker/task.ts';

/** The picture that messages and posts show for a link to a page of one section of the site. */
export interface PreviewTask {
  readonly kind: 'preview';
  /** Title of the section; the product's tagline for the front page. */
  readonly title: string;
  /** The product's name. */
  readonly product: string;
  /** The accent color, such as `#0b6b64`. */
  readonly accent: string;
  /** The logo as a data URI, or null if the product has none that can be drawn. */
  readonly logo: string | null;
}

/** The icon of the site on a home screen: a square without transparency, whose corners the system rounds. */
export interface IconTask {
  readonly kind: 'icon';
  /** Length of a side in pixels. */
  readonly size: number;
  /** The accent color, such as `#0b6b64`. */
  readonly accent: string;
  /** The letter or digit that is drawn on the accent if there is no logo; '' for only the accent. */
  readonly letter: string;
  /** The logo as a data URI, or null if the product has none that can be drawn. */
  readonly logo: string | null;
}

/** A picture that the worker draws. */
export type DrawingTask = PreviewTask | IconTask;

/** Size of a link preview in pixels, as the services that show previews recommend. */
export const previewSize = { width: 1200, height: 630 } as const;

/**
 * Returns a hash of the task in 12 hexadecimal digits, for the address of its picture. The number in front of the task changes when
 * the same task is drawn in another way.
 */
export const hashDrawing = (task: DrawingTask): string => sha256Hex(`2 ${JSON.stringify(task)}`).slice(0, 12);

/** A drawer of pictures as PNG in a worker, which keeps the 32 that were used last. */
export interface Drawer {
  /** Returns the picture as PNG. Rejects with `not_found` if it cannot be drawn; the next call then tries again. */
  draw(task: DrawingTask): Promise<Buffer>;
}

/** The task of a worker that draws a picture as PNG; the first one loads the library and the font. */
const drawingsTask: Task<DrawingTask, Uint8Array> = { name: 'drawings', worker: 'render', budgetMs: 10_000 };

/** Number of pictures in the cache: those of two revisions. */
const maxPictures = 32;

/** The workers and the log that drawing needs. */
export interface DrawerOptions {
  readonly workers: Pick<Workers, 'run'>;
  readonly log: Log;
}

/** Creates a drawer. If a task with a logo fails, that is logged as a warning and the picture is drawn without the logo. */
export function createDrawer({ workers, log }: DrawerOptions): Drawer {
  const pictures = new LRUCache<string, Promise<Buffer>>({ max: maxPictures });
  const attempt = async (task: DrawingTask): Promise<Buffer> => {
    try {
      return Buffer.from(await workers.run(drawingsTask, task));
    } catch (error) {
      if (task.logo === null) throw new ApiError('not_found', 'This picture could not be drawn.');
      log.warn({ error: getMessage(error) }, 'the logo could not be drawn; pictures are made without it');
      return attempt({ ...task, logo: null });
    }
  };
  return {
    async draw(task) {
      const key = hashDrawing(task);
      const picture = pictures.get(key) ?? attempt(task);
      pictures.set(key, picture);
      try {
        return await picture;
      } catch (error) {
        pictures.delete(key);
        throw error;
      }
    },
  };
}

/** Maximum size of a logo that is drawn, in bytes; a larger one takes as long as all the rest. */
const maxLogoSize = 100_000;

/**
 * Returns a logo as a data URI for a drawing, or null if there is none, if it has more than 100,000 bytes, or if it is neither SVG,
 * PNG, JPEG, GIF nor WebP.
 */
export function toDrawableLogo(asset: Pick<Asset, 'mediaType' | 'bytes'> | undefined): string | null {
  if (asset === undefined || asset.bytes.length > maxLogoSize) return null;
  if (!/^image\/(?:svg\+xml|png|jpeg|gif|webp)$/.test(asset.mediaType)) return null;
  return `data:${asset.mediaType};base64,${asset.bytes.toString('base64')}`;
}
