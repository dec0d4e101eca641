// Loaded into a measured renderer: with the word that a job is done goes what the process has cost so far.
const send = process.send?.bind(process);
process.send = (message, ...rest) => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cost = { cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 };
  return send(message.type === 'done' ? { ...message, cost } : message, ...rest);
};
