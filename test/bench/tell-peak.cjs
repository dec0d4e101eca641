// Loaded into a measured program: its last word on stdout is how much memory it needed.
process.on('exit', () => {
  require('node:fs').writeSync(1, `peak-kilobytes=${process.resourceUsage().maxRSS}\n`);
});
