/**
 * The times at which to send each request of a run, in ms from its start. They are fixed before the run begins.
 *
 * Arrivals are Poisson-distributed, as if the clients were independent of each other. So some requests arrive together,
 * and queues form as in production. Evenly spaced requests would never meet, which would flatter slow contenders. With
 * the same seed, the arrivals are the same for every contender.
 */
export function poissonArrivals(perSecond: number, seconds: number, seed: number): Float64Array {
  const random = mulberry32(seed);
  const times: number[] = [];
  const endMs = seconds * 1000;
  for (let at = nextGap(); at < endMs; at += nextGap()) times.push(at);
  return Float64Array.from(times);

  function nextGap(): number {
    return (-Math.log(1 - random()) / perSecond) * 1000;
  }
}

/** Random numbers from 0 to below 1, always the same for a seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
