const ADVICE = 'What to do: ';

/**
 * Sorts the sentences of an explanation by importance: the cause, the advice, and the rest.
 *
 * @param isOfAnother true if the explanation belongs to a similar request; its first sentence then says so
 */
export function splitExplanation(sentences: readonly string[], isOfAnother: boolean) {
  const about = isOfAnother ? sentences.slice(0, 1) : [];
  const [opening, cause, ...others] = sentences.slice(about.length);
  const advice = others.find((sentence) => sentence.startsWith(ADVICE));
  const rest = [...about, opening, ...others.filter((sentence) => sentence !== advice)];
  return { cause, advice: advice?.slice(ADVICE.length), rest: rest.filter((each) => each !== undefined) };
}
