// Loaded into a measured program: its last word on stdout is how much time of the processor and memory it needed.
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cost = { cpu: (userCPUTime + systemCPUTime) / 1e3, peak: maxRSS / 1024 };
  require('node:fs').writeSync(1, `whole-cost=${JSON.stringify(cost)}\n`);
});
