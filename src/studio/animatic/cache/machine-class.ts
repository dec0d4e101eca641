/**
 * The kind of machine that a digest of a film holds for. Libav and the canvas choose their code by what the processor can do, and the
 * same picture comes out one bit brighter or darker by it; V8 does the arithmetic of a scene.
 */
import { readFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { cachedDataVersionTag } from 'node:v8';

export function machineClass(): string {
  // V8's tag changes with its version, its flags and the features of the processor that it compiles for.
  return [platform(), arch(), cpus()[0]?.model ?? '', ...features(), cachedDataVersionTag()].join('\n');
}

/** Lines of `/proc/cpuinfo` that say what the processor is and can do, not how fast it runs at the moment. */
const FEATURES =
  /^(vendor_id|cpu family|model|stepping|flags|Features|CPU (implementer|architecture|variant|part))\s*:/;

/** Of the first processor; empty where the system does not tell. */
function features(): readonly string[] {
  try {
    const [first = ''] = readFileSync('/proc/cpuinfo', 'utf8').split('\n\n');
    return first.split('\n').filter(line => FEATURES.test(line));
  } catch {
    return [];
  }
}
