import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's USER_HZ: it reports times in this unit, whatever the frequency of its own clock. */
const TICKS_PER_SECOND = 100;

/** Returns the user and system time that these processes have used, with all their threads, in seconds. */
export function readCpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    // The second field is the name in parentheses, which may contain any characters. Counted after it, utime and stime
    // are fields 12 and 13.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

/** Returns the time that all living threads of these processes have used, in µs. It has no ticks, unlike `readCpuSeconds`. */
export function readCpuMicros(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    }
  }
  return nanoseconds / 1000;
}

/** Returns the resident memory of these processes, in bytes. */
export function readResidentBytes(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids) {
    kilobytes += Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  }
  return kilobytes * 1024;
}
