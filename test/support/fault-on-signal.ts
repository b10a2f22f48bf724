/** Loaded into the real command before it starts: on SIGUSR2 something fails where nothing catches it. */
process.on('SIGUSR2', () => {
  const fault = new Error('planted', { cause: new Error('the reason behind it') });
  if (process.env.PLANTED_FAULT === 'rejection') void Promise.reject(fault);
  else throw fault;
});
