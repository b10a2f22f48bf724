/** Tells listeners of SIGTERM and SIGINT, and counts copies of one signal once. */
import { systemClock } from '../base/clock.ts';

type EndSignal = 'SIGTERM' | 'SIGINT';

/**
 * Time in which another signal counts as a copy, in milliseconds. A terminal and most supervisors signal a whole process group, so
 * that a process gets a signal directly and again from the process that started it.
 */
const copyMs = 500;

const listeners = new Set<(signal: EndSignal) => void>();
let lastSignalAt = Number.NEGATIVE_INFINITY;

/** Calls `act` for each signal, except copies, until the returned function is called. */
export function onEndSignal(act: (signal: EndSignal) => void): () => void {
  if (listeners.size === 0) process.on('SIGTERM', dispatch).on('SIGINT', dispatch);
  listeners.add(act);
  return () => {
    listeners.delete(act);
    if (listeners.size === 0) process.off('SIGTERM', dispatch).off('SIGINT', dispatch);
  };
}

function dispatch(signal: EndSignal): void {
  const now = systemClock.monotonic();
  if (now - lastSignalAt < copyMs) return;
  lastSignalAt = now;
  for (const act of [...listeners]) act(signal);
}
