import { readFileSync } from 'node:fs';

/** USER_HZ: the unit in which the kernel reports times, whatever its own clock is. */
const TICKS_PER_SECOND = 100;

/** User and system time that these processes have used, with all their threads, in seconds. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    // The second field is the name in parentheses, which may contain anything. After it, utime and stime are 12th and
    // 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

/** Memory of these processes that is in RAM, in bytes. */
export function residentBytes(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids) {
    kilobytes += Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  }
  return kilobytes * 1024;
}
