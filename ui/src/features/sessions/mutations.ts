import type { UseMutationResult } from '@tanstack/react-query'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AutoAttachSettings } from '@/api/client'
import { ApiError, api } from '@/api/client'
import { keys } from '@/api/keys'
import { toast } from '@/lib/toast'

function useAction<T>(run: (value: T) => Promise<unknown>, done: (value: T) => string): UseMutationResult<unknown, Error, T> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: (_, value) => {
      toast.success(done(value))
      void client.invalidateQueries({ queryKey: keys.health })
    },
    onError: (error) => {
      const several = error instanceof ApiError && error.code === 'conflict'
      toast.error(several ? 'Several sessions are live' : 'That did not work', { description: error.message })
    },
  })
}

interface AttachRequest {
  sessionId: string
  fromStart: boolean
}

export function useAttach(): UseMutationResult<unknown, Error, AttachRequest> {
  return useAction(api.attach, (r: AttachRequest) => (r.fromStart ? 'Attached to the full session' : 'Attached, from now on'))
}

export function useDetach(): UseMutationResult<unknown, Error, void> {
  return useAction<void>(api.detach, () => 'Detached')
}

export function useStartAutoAttach(): UseMutationResult<unknown, Error, AutoAttachSettings> {
  return useAction(api.startAutoAttach, () => 'Auto-attach is on')
}

export function useStopAutoAttach(): UseMutationResult<unknown, Error, void> {
  return useAction<void>(api.stopAutoAttach, () => 'Auto-attach is off')
}
