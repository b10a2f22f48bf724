/** Preloaded into the command: on SIGUSR2 it throws an error that nothing catches, or rejects a promise if PLANTED_FAULT=rejection. */
process.on('SIGUSR2', () => {
  const error = new Error('planted', { cause: new Error('the reason behind it') });
  if (process.env.PLANTED_FAULT === 'rejection') void Promise.reject(error);
  else throw error;
});
