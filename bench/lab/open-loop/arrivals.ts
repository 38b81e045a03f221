/**
 * When each request of a run is to be sent, in ms from its start, fixed before it begins.
 *
 * Poisson arrivals: clients that know nothing of each other, so that some requests arrive together and queues form as
 * they do in production. Evenly spaced ones would never meet, and flatter whatever is slow. The seed makes every
 * contender's arrivals the same.
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

/** Numbers from 0 to below 1, always the same for a seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
