/** What one request sees from start to end: both contexts and their renditions, swapped as one. */
import type { Context } from '../operations/context.ts';
import type { Renditions } from './renditions.ts';

export interface State {
  readonly production: Context;
  readonly sandbox: Context;
  readonly renditions: Renditions;
}
