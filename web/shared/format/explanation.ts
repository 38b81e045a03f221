const ADVICE = 'What to do: ';

/** The sentences of an explanation in the order of interest: the cause, what to do, and everything else. */
export function explanationParts([opening, cause, ...others]: readonly string[]) {
  const advice = others.find((sentence) => sentence.startsWith(ADVICE));
  const rest = [opening, ...others.filter((sentence) => sentence !== advice)].filter((each) => each !== undefined);
  return { cause, advice: advice?.slice(ADVICE.length), rest };
}
