// Reloads the page under `colophon dev` after its content has changed. The browser's cache may have an older page than the last one
// that was seen at this path, so that its revision is remembered for each path.
const key = `dev ${location.pathname}`;
const look = async () => {
  try {
    const response = await fetch('/dev/revision', { cache: 'no-store' });
    const revision = await response.text();
    const previous = sessionStorage.getItem(key);
    sessionStorage.setItem(key, revision);
    if (previous !== null && previous !== revision) location.reload();
  } catch {
    // The server is being restarted; the next call tries again.
  }
};
look();
setInterval(look, 1000);
