import { useNavigate } from '@tanstack/react-router';

/** Makes times that were selected in a chart the period in the URL, in ms since the epoch. */
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
