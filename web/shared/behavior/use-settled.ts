import { useEffect, useState } from 'react';

/** Returns the text once it has stayed unchanged for `pauseMs`. Until then, it returns the previous text. */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}
