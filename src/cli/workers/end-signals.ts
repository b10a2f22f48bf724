/** The signals that ask this process to end, each counted once even where the process that started it passes them on. */

type EndSignal = 'SIGTERM' | 'SIGINT';

/** Of this process, whoever listened when they came: a copy of a signal may come after another has begun to listen. */
const heard = { direct: 0, relayed: 0, byLauncher: false };
let listeners = 0;

/**
 * Calls `act` for each SIGTERM and SIGINT until the returned function is called. A terminal and most supervisors signal
 * a whole group, so a signal may arrive both directly and from the launcher in `bin/`: the copy is no second signal.
 */
export function onEndSignal(act: (signal: EndSignal) => void): () => void {
  const onSignal = (signal: EndSignal): void => {
    heard.direct += 1;
    if (heard.direct > heard.relayed) act(signal);
  };
  const onMessage = (message: unknown): void => {
    const signal = typeof message === 'object' && message !== null ? Reflect.get(message, 'relayed') : null;
    heard.byLauncher ||= signal === 'none';
    if (signal !== 'SIGTERM' && signal !== 'SIGINT') return;
    heard.relayed += 1;
    if (heard.relayed > heard.direct) act(signal);
  };
  // Without its launcher, this process would not hear of a signal that is meant for both.
  const onDisconnect = (): void => {
    if (heard.byLauncher && heard.direct + heard.relayed === 0) act('SIGTERM');
  };
  listeners += 1;
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  if (process.send !== undefined) {
    process.on('message', onMessage).on('disconnect', onDisconnect);
    process.channel?.unref();
    process.send({ countsSignals: true });
  }
  return () => {
    listeners -= 1;
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
    process.off('message', onMessage).off('disconnect', onDisconnect);
    if (listeners === 0 && process.connected) process.send?.({ countsSignals: false });
  };
}
