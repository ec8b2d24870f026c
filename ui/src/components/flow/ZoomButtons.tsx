import { Panel, useReactFlow } from '@xyflow/react'
import { Maximize, Minus, Plus } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from '@/components/ui/button'

export const ZoomButtons = memo(function ZoomButtons({ onFit }: { onFit: () => void }) {
  const flow = useReactFlow()
  return (
    <Panel position="bottom-right" className="!m-2 flex rounded-md border bg-panel">
      <IconButton label="Zoom in (+, Ctrl or ⌘ with the wheel, or pinch)" onClick={() => void flow.zoomIn()}>
        <Plus size={14} />
      </IconButton>
      <IconButton label="Zoom out (−)" onClick={() => void flow.zoomOut()}>
        <Minus size={14} />
      </IconButton>
      <IconButton label="Fit (f)" onClick={onFit}>
        <Maximize size={14} />
      </IconButton>
    </Panel>
  )
})
