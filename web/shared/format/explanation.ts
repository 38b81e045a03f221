const ADVICE = 'What to do: ';

/**
 * The sentences of an explanation by importance: the cause, what to do, and everything else.
 *
 * @param isOfAnother whether the explanation is that of a similar request; the first sentence then says so
 */
export function explanationParts(sentences: readonly string[], isOfAnother: boolean) {
  const about = isOfAnother ? sentences.slice(0, 1) : [];
  const [opening, cause, ...others] = sentences.slice(about.length);
  const advice = others.find((sentence) => sentence.startsWith(ADVICE));
  const rest = [...about, opening, ...others.filter((sentence) => sentence !== advice)];
  return { cause, advice: advice?.slice(ADVICE.length), rest: rest.filter((each) => each !== undefined) };
}
