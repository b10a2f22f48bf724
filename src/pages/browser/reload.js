// In `colophon dev` only: loads the page again once what it shows has changed. A page from the browser's cache may be
// older than what the last look saw here, so that is remembered for each path.
const key = `dev ${location.pathname}`;
const look = async () => {
  try {
    const response = await fetch('/dev/revision', { cache: 'no-store' });
    const revision = await response.text();
    const seen = sessionStorage.getItem(key);
    sessionStorage.setItem(key, revision);
    if (seen !== null && seen !== revision) location.reload();
  } catch {
    // The server is between two starts.
  }
};
look();
setInterval(look, 1000);
