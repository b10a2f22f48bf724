/** What the project wants of a figure, and whether a run reached it. */
import { fixed } from './table.ts';

export interface Goal {
  /** What is measured, with its unit. */
  readonly name: string;
  readonly target: string;
  readonly figure: string;
  readonly met: boolean;
}

/** What a section found: a text in Markdown, and how it compares to the goals. */
export interface Measured {
  readonly text: string;
  readonly goals: readonly Goal[];
}

export const atLeast = (name: string, value: number, target: number, digits = 2): Goal => ({
  name,
  target: `≥ ${fixed(target, digits)}`,
  figure: fixed(value, digits),
  met: value >= target,
});

export const atMost = (name: string, value: number, target: number, digits = 2): Goal => ({
  name,
  target: `≤ ${fixed(target, digits)}`,
  figure: fixed(value, digits),
  met: value <= target,
});
