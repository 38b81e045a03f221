import { useNavigate } from '@tanstack/react-router';

/** Returns a function that sets the period in the URL to times selected in a chart, in ms since the Unix epoch. */
export function useSelectTimes(): (from: number, to: number) => void {
  const navigate = useNavigate();
  return (from, to) =>
    void navigate({
      to: '.',
      search: ({ period: _, ...all }: Record<string, unknown>) => ({
        ...all,
        from: new Date(from).toISOString(),
        to: new Date(Math.min(to, Date.now())).toISOString(),
      }),
      resetScroll: false,
    });
}
