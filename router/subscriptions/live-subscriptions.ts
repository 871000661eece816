/** Starts the subscriptions of admitted callers, and ends them with their key, their quota or the process. */
import type { Caller, GraphError } from '../../schema/entry-point.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Admitted } from '../admission/admission.ts';
import type { StreamEnd, StreamLimits } from '../streams/stream-limits.ts';
import { errorOf, type Subscriber } from './payload.ts';
import type { ChargedSubscription, PayloadCharges } from './payload-charges.ts';
import type { RequestedSubscription } from './requested-subscription.ts';
import type { SharedSubscriptions } from './shared-subscriptions.ts';

/** What a transport does with its subscription. */
export interface LiveSubscriber extends Subscriber {
  /** Ends the subscription without a result: the client connects again, as the reason says. */
  readonly disconnect: (reason: StreamEnd) => void;
}

export interface LiveSubscriptions {
  /**
   * Starts a subscription, which is one of the concurrent streams of the plan. Returns the function that ends it, which the transport
   * calls when the client ends it. Throws Problem stream_limit_exceeded or overloaded.
   */
  start(
    subscription: RequestedSubscription,
    by: { readonly admitted: Admitted; readonly caller: Caller },
    subscriber: LiveSubscriber,
  ): () => void;
}

export function createLiveSubscriptions(
  sharedOf: (viewer: Viewer) => SharedSubscriptions,
  streamLimits: Pick<StreamLimits, 'acquire'>,
  charges: PayloadCharges,
  failed: (error: unknown) => GraphError,
): LiveSubscriptions {
  return {
    start(subscription, { admitted, caller }, subscriber) {
      let isEnded = false;
      let unsubscribe: (() => void) | null = null;
      const release = streamLimits.acquire(admitted.holder, {
        caller,
        end(reason) {
          stop();
          subscriber.disconnect(reason);
        },
      });

      function stop(): void {
        if (isEnded) return;
        isEnded = true;
        unsubscribe?.();
        release();
      }

      function end(errors: readonly GraphError[]): void {
        if (isEnded) return;
        stop();
        subscriber.end(errors);
      }

      const charged: ChargedSubscription = {
        caller,
        units: subscription.units,
        name: subscription.name,
        exhausted: (problem) => end([errorOf(problem)]),
      };
      let isFirst = true;
      const receive: Subscriber = {
        end,
        next(payload) {
          subscriber.next(payload);
          // the start has paid for the first payload
          if (isFirst) isFirst = false;
          else charges.delivered(charged);
        },
      };
      sharedOf(admitted.viewer)
        .subscribe(subscription, admitted.viewer, receive)
        .then(
          (leave) => {
            unsubscribe = leave;
            // ended meanwhile
            if (isEnded) leave();
          },
          (error: unknown) => end([failed(error)]),
        );
      return stop;
    },
  };
}
