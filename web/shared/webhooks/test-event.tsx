import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Zap } from 'lucide-react';
import type { Change } from '../transport/change.ts';
import { Button } from '../ui/controls/button.tsx';
import { testWebhook } from './webhook-changes.ts';
import type { Delivery } from './webhook.ts';

export type SendTest = (change: Change<Delivery>) => Promise<Delivery>;

/** Sends `webhook.test` once, immediately. Its delivery has the response. */
export function useTestEvent(id: string, send: SendTest | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => send?.(testWebhook(id)),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
}

export type TestEvent = ReturnType<typeof useTestEvent>;

export function TestButton({ test }: { readonly test: TestEvent }) {
  return (
    <Button
      icon={Zap}
      title="Sends webhook.test once. Works for a disabled webhook too."
      disabled={test.isPending}
      onClick={() => test.mutate()}
    >
      {test.isPending ? 'Waiting for the response…' : 'Send a test event'}
    </Button>
  );
}
