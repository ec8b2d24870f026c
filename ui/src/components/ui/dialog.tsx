import { X } from 'lucide-react'
import { Dialog as DialogPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { IconButton } from './button'

export const Dialog = DialogPrimitive.Root
export const DialogTitle = DialogPrimitive.Title
export const DialogDescription = DialogPrimitive.Description

type ContentProps = ComponentProps<typeof DialogPrimitive.Content> & { side?: 'center' | 'right' }

const places = {
  center: 'left-1/2 top-[12vh] max-h-[76vh] w-[calc(100vw-24px)] max-w-lg -translate-x-1/2 rounded-lg data-[state=open]:zoom-in-98',
  right: 'inset-y-0 right-0 w-[min(720px,100vw)] border-l data-[state=open]:slide-in-from-right-8',
}

export function DialogContent({ className, children, side = 'center', ...props }: ContentProps) {
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className="fixed inset-0 z-40 bg-scrim data-[state=open]:animate-in data-[state=open]:fade-in-0 duration-100" />
      <DialogPrimitive.Content
        className={cn(
          'fixed z-50 flex flex-col bg-panel text-text shadow-float outline-none duration-100 data-[state=open]:animate-in data-[state=open]:fade-in-0',
          places[side],
          className,
        )}
        {...props}
      >
        {children}
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  )
}

export function DialogHeader({ title, description, children }: { title: string; description?: string; children?: React.ReactNode }) {
  return (
    <header className="flex min-h-11 shrink-0 items-center gap-2 border-b py-1 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <DialogTitle className="truncate text-[15px] font-semibold">{title}</DialogTitle>
        <DialogDescription className={description ? 'truncate text-small text-text-3' : 'sr-only'}>
          {description ?? title}
        </DialogDescription>
      </div>
      {children}
      <DialogPrimitive.Close asChild>
        <IconButton label="Close">
          <X size={16} />
        </IconButton>
      </DialogPrimitive.Close>
    </header>
  )
}
